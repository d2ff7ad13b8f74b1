// Content for tests and its SHA-256. Plain C types only.
#ifndef LOOPBACK_DIGEST_H
#define LOOPBACK_DIGEST_H

#include <stddef.h>
#include <stdint.h>

// Writes bytes offset ..< offset + count of the endless content that `seed` names.
void loopback_fill(uint64_t seed, uint64_t offset, uint8_t *buffer, size_t count);

typedef struct evp_md_ctx_st loopback_digest;

// NULL when out of memory; the other functions accept NULL and do nothing.
loopback_digest *loopback_digest_new(void);
void loopback_digest_update(loopback_digest *digest, const void *bytes, size_t count);
void loopback_digest_finish(loopback_digest *digest, uint8_t result[32]);
void loopback_digest_free(loopback_digest *digest);

#endif
