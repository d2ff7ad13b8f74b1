#include "loopback_digest.h"

#include <openssl/evp.h>
#include <string.h>

// Word `index` of the content: a bijective mixer over a counter, so that neighbours and seeds differ
// in about half of their bits.
static uint64_t word(uint64_t seed, uint64_t index) {
  uint64_t value = (index + 1) * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

void loopback_fill(uint64_t seed, uint64_t offset, uint8_t *buffer, size_t count) {
  while (count > 0) {
    uint64_t value = word(seed, offset / 8);
    size_t skipped = offset % 8;
    size_t taken = 8 - skipped < count ? 8 - skipped : count;
    memcpy(buffer, (const uint8_t *)&value + skipped, taken);
    buffer += taken;
    offset += taken;
    count -= taken;
  }
}

loopback_digest *loopback_digest_new(void) {
  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  if (digest && EVP_DigestInit_ex(digest, EVP_sha256(), NULL) == 1) return digest;
  EVP_MD_CTX_free(digest);
  return NULL;
}

void loopback_digest_update(loopback_digest *digest, const void *bytes, size_t count) {
  if (digest) EVP_DigestUpdate(digest, bytes, count);
}

void loopback_digest_finish(loopback_digest *digest, uint8_t result[32]) {
  if (digest) EVP_DigestFinal_ex(digest, result, NULL);
}

void loopback_digest_free(loopback_digest *digest) { EVP_MD_CTX_free(digest); }
