// Whom to believe (RFC 5280 §6): what the caller names, else what SSL_CERT_FILE and SSL_CERT_DIR name, else the
// system's store wherever it is. Files named by the caller are read at once, so that a mistake in them is reported
// as what it is and not as an unknown issuer.
#define _GNU_SOURCE
#include "internal.h"

#if OSSL_AVAILABLE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__) || defined(__linux__)
#define environment(name) secure_getenv(name)
#else
#define environment(name) (issetugid() ? NULL : getenv(name))
#endif

/// Directories with hashed names, and bundles, after OpenSSL's own defaults: Debian and Alpine; Fedora.
static const char *const directories[] = {"/etc/ssl/certs", "/etc/pki/tls/certs"};
static const char *const bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt",  // Debian, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",    // Fedora
    "/etc/ssl/ca-bundle.pem",              // SUSE
    "/etc/ssl/cert.pem",                   // BSD, macOS
};

/// A copy with a final NUL; 0 if the bytes are no path.
int ossl_copy_path(char path[OSSL_PATH_CAPACITY], const unsigned char *bytes, size_t count) {
  if (count == 0 || count >= OSSL_PATH_CAPACITY || memchr(bytes, 0, count) != NULL) return 0;
  memcpy(path, bytes, count);
  path[count] = '\0';
  return 1;
}

/// As `openssl rehash` makes them: eight hexadecimal digits, a dot, a number.
static int is_hashed_name(const char *name) {
  for (int i = 0; i < 8; i++) {
    if (!isxdigit((unsigned char)name[i])) return 0;
  }
  return name[8] == '.' && isdigit((unsigned char)name[9]);
}

/// 1: something can be found there; 0: nothing can; -1: errno. Reads names up to the first that fits.
static int has_hashed_names(const char *directory) {
  DIR *open = opendir(directory);
  if (open == NULL) return -1;
  int has = 0;
  const struct dirent *entry;
  while (!has && (entry = readdir(open)) != NULL) has = is_hashed_name(entry->d_name);
  closedir(open);
  return has;
}

/// As above for a list with colons, 1 if any of its directories has something.
static int any_has_hashed_names(const char *list) {
  char directory[OSSL_PATH_CAPACITY];
  for (const char *at = list; *at != '\0';) {
    size_t count = strcspn(at, ":");
    if (ossl_copy_path(directory, (const unsigned char *)at, count) && has_hashed_names(directory) == 1) return 1;
    at += count + (at[count] == ':');
  }
  return 0;
}

static int trust_file(ossl_context *context, const char *file) {
  if (access(file, R_OK) != 0) {
    ossl_fail(&context->failure, errno, file, strerror(errno));
    return 0;
  }
  if (SSL_CTX_load_verify_file(context->settings, file) == 1) return 1;
  ossl_fail_from_queue(&context->failure, 0, file);
  return 0;
}

int ossl_context_trust(
    ossl_context *context, const unsigned char *file, size_t file_count, const unsigned char *directory,
    size_t directory_count) {
  char path[OSSL_PATH_CAPACITY];
  if (file != NULL) {
    if (!ossl_copy_path(path, file, file_count)) {
      ossl_fail(&context->failure, 0, "authority file", "not a path");
      return -1;
    }
    if (!trust_file(context, path)) return -1;
  }
  if (directory == NULL) return 0;
  if (!ossl_copy_path(path, directory, directory_count)) {
    ossl_fail(&context->failure, 0, "authority directory", "not a path");
    return -1;
  }
  int has = has_hashed_names(path);
  if (has < 0) {
    ossl_fail(&context->failure, errno, path, strerror(errno));
  } else if (has == 0) {
    ossl_fail(&context->failure, 0, path, "no certificate under a hashed name (\"openssl rehash\" makes them)");
  } else if (ossl_trust_directory(context, path)) {
    return 0;
  } else {
    ossl_fail_from_queue(&context->failure, 0, path);
  }
  return -1;
}

/// The directory first; the bundle on demand behind it, or at once if it is all there is.
static int trust_found(ossl_context *context, const char *directory, const char *file) {
  if (directory != NULL && !ossl_trust_directory(context, directory)) {
    ossl_fail_from_queue(&context->failure, 0, directory);
    return -1;
  }
  if (file == NULL) return 0;
  if (directory == NULL) return trust_file(context, file) ? 0 : -1;
  if (ossl_trust_bundle_on_demand(context, file)) return 0;
  ossl_fail_from_queue(&context->failure, 0, file);
  return -1;
}

/// Both variables unset: 0. Whatever is set replaces the system's store whole.
static int trust_environment(ossl_context *context, int *outcome) {
  const char *file = environment(X509_get_default_cert_file_env());
  const char *directory = environment(X509_get_default_cert_dir_env());
  if (file != NULL && *file == '\0') file = NULL;
  if (directory != NULL && *directory == '\0') directory = NULL;
  if (file == NULL && directory == NULL) return 0;

  const char *usable_file = file != NULL && access(file, R_OK) == 0 ? file : NULL;
  const char *usable_directory = directory != NULL && any_has_hashed_names(directory) ? directory : NULL;
  if (usable_file == NULL && usable_directory == NULL) {
    ossl_fail(
        &context->failure, 0, "SSL_CERT_FILE or SSL_CERT_DIR names no certificates", file != NULL ? file : directory);
    *outcome = -1;
  } else {
    *outcome = trust_found(context, usable_directory, usable_file);
  }
  return 1;
}

static void fail_without_store(ossl_context *context) {
  char tried[OSSL_FAILURE_BYTES] = "";
  size_t room = sizeof tried - 1;
  const char *paths[2 + sizeof directories / sizeof *directories + sizeof bundles / sizeof *bundles];
  size_t count = 0;
  paths[count++] = X509_get_default_cert_dir();
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) paths[count++] = directories[i];
  paths[count++] = X509_get_default_cert_file();
  for (size_t i = 0; i < sizeof bundles / sizeof *bundles; i++) paths[count++] = bundles[i];
  for (size_t i = 0; i < count; i++) {
    strncat(tried, i == 0 ? "" : ", ", room - strlen(tried));
    strncat(tried, paths[i], room - strlen(tried));
  }
  ossl_fail(&context->failure, 0, "no certificate authorities found; tried", tried);
}

int ossl_context_trust_system(ossl_context *context) {
  int outcome = -1;
  if (trust_environment(context, &outcome)) return outcome;

  const char *directory = X509_get_default_cert_dir();
  int found = any_has_hashed_names(directory);
  for (size_t i = 0; !found && i < sizeof directories / sizeof *directories; i++) {
    directory = directories[i];
    found = any_has_hashed_names(directory);
  }
  const char *file = X509_get_default_cert_file();
  int readable = access(file, R_OK) == 0;
  for (size_t i = 0; !readable && i < sizeof bundles / sizeof *bundles; i++) {
    file = bundles[i];
    readable = access(file, R_OK) == 0;
  }
  if (found || readable) return trust_found(context, found ? directory : NULL, readable ? file : NULL);
  fail_without_store(context);
  return -1;
}
#endif
