// Opens OpenSSL when it is first needed (functions.h), by the names that the dynamic linker would look for. It stays
// open: OpenSSL can't be unloaded safely.
#define _GNU_SOURCE
#include "internal.h"

#if OSSL_AVAILABLE
#ifdef OSSL_LINKED
const char *ossl_load_crypto(void) { return NULL; }
const char *ossl_load_ssl(void) { return NULL; }
#else
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

struct ossl_ssl_functions ossl_ssl;
struct ossl_crypto_functions ossl_crypto;

// One string each, NUL between the names: an array of pointers would have to be relocated in every process.
#define NAME(name) #name "\0"
static const char ssl_names[] = OSSL_SSL_FUNCTIONS(NAME);
static const char crypto_names[] = OSSL_CRYPTO_FUNCTIONS(NAME);

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
// The version of the headers is that of the interface.
#define LIBRARY(name) name ".so." TEXT(OPENSSL_SHLIB_VERSION)

static char failure[OSSL_FAILURE_BYTES];

/// Fills a table of pointers. 1, or 0 with `failure` set.
static int load(const char *library, const char *names, void *table) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  char *slot = table;
  for (const char *name = names; handle != NULL && *name != '\0'; name += strlen(name) + 1) {
    void *function = dlsym(handle, name);
    if (function == NULL) handle = NULL;
    memcpy(slot, &function, sizeof function);
    slot += sizeof function;
  }
  if (handle != NULL) return 1;
  const char *why = dlerror();
  strncpy(failure, why == NULL ? library : why, sizeof failure - 1);
  return 0;
}

static pthread_once_t crypto_once = PTHREAD_ONCE_INIT, ssl_once = PTHREAD_ONCE_INIT;
static int has_crypto, has_ssl;

static void load_crypto(void) { has_crypto = load(LIBRARY("libcrypto"), crypto_names, &ossl_crypto); }
static void load_ssl(void) {
  has_ssl = ossl_load_crypto() == NULL && load(LIBRARY("libssl"), ssl_names, &ossl_ssl);
}

const char *ossl_load_crypto(void) {
  pthread_once(&crypto_once, load_crypto);
  return has_crypto ? NULL : failure;
}

const char *ossl_load_ssl(void) {
  pthread_once(&ssl_once, load_ssl);
  return has_ssl ? NULL : failure;
}
#endif
#endif
