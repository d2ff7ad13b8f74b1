// Message digests by OpenSSL's EVP interface, which picks the processor's own instructions where it has them.
#include "internal.h"

#if OSSL_AVAILABLE
#include <stdlib.h>

struct ossl_digest {
  EVP_MD_CTX *state;
  int failed;  // an update did: what was hashed is not what was given
};

static const EVP_MD *method(int algorithm) {
  if (algorithm == ossl_SHA256) return EVP_sha256();
  if (algorithm == ossl_SHA512) return EVP_sha512();
  if (algorithm == ossl_SHA1) return EVP_sha1();
  return algorithm == ossl_MD5 ? EVP_md5() : NULL;
}

/// Neither started nor a copy of anything. NULL: out of memory.
static ossl_digest *make(void) {
  ossl_digest *digest = calloc(1, sizeof *digest);
  if (digest == NULL) return NULL;
  digest->state = EVP_MD_CTX_new();
  if (digest->state != NULL) return digest;
  free(digest);
  return NULL;
}

/// What failed is known to the caller; nothing of it may stay for the next call that asks for errors.
static ossl_digest *give_up(ossl_digest *digest) {
  ossl_digest_free(digest);
  ERR_clear_error();
  return NULL;
}

ossl_digest *ossl_digest_new(int algorithm) {
  if (ossl_load_crypto() != NULL) return NULL;
  // As a context does it; here because a download over plain http makes no context.
  if (OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) return give_up(NULL);
  ossl_digest *digest = make();
  const EVP_MD *chosen = method(algorithm);
  if (digest == NULL || chosen == NULL) return give_up(digest);
  return EVP_DigestInit_ex2(digest->state, chosen, NULL) == 1 ? digest : give_up(digest);
}

size_t ossl_digest_missing(unsigned char *into, size_t capacity) {
  struct ossl_failure failure = {0};
  const char *missing = ossl_load_crypto();
  if (missing != NULL) ossl_fail(&failure, 0, NULL, missing);
  return ossl_copy_failure(&failure, into, capacity);
}

void ossl_digest_free(ossl_digest *digest) {
  if (digest == NULL) return;
  EVP_MD_CTX_free(digest->state);
  free(digest);
}

ossl_digest *ossl_digest_copy(const ossl_digest *digest) {
  ossl_digest *copy = make();
  if (copy == NULL || EVP_MD_CTX_copy_ex(copy->state, digest->state) != 1) return give_up(copy);
  copy->failed = digest->failed;
  return copy;
}

void ossl_digest_update(ossl_digest *digest, const unsigned char *bytes, size_t count) {
  if (count > 0 && EVP_DigestUpdate(digest->state, bytes, count) != 1) digest->failed = 1;
}

size_t ossl_digest_finish(ossl_digest *digest, unsigned char *into, size_t capacity) {
  int size = EVP_MD_CTX_get_size(digest->state);
  unsigned int count = 0;
  int fits = size > 0 && (size_t)size <= capacity;
  if (digest->failed || !fits || EVP_DigestFinal_ex(digest->state, into, &count) != 1) count = 0;
  ERR_clear_error();
  return count;
}
#endif
