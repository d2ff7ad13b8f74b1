#ifndef PX_LOOKUP_H
#define PX_LOOKUP_H

#include "px_address.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One getaddrinfo on a thread of its own, owned by the caller and the thread together.
typedef struct px_lookup px_lookup;

enum { px_lookup_capacity = 64 }; // addresses kept of one answer

/// Starts the thread: 0 and a lookup to abandon later, or why not. Addresses of one version alone, unless it is 0.
int px_lookup_start(const uint8_t *host, uint16_t port, uint8_t version, px_lookup **lookup);

/// Becomes readable when the answer is there; belongs to the lookup.
int px_lookup_descriptor(const px_lookup *lookup);

/// Whether the thread has finished; only then may the three below be asked.
bool px_lookup_is_done(const px_lookup *lookup);
int px_lookup_code(const px_lookup *lookup);        // 0 or EAI_*
int px_lookup_system_code(const px_lookup *lookup); // errno when the code is px_EAI_SYSTEM
int px_lookup_count(const px_lookup *lookup);
px_address px_lookup_address(const px_lookup *lookup, int index);

/// Gives up the caller's part; whoever comes last frees the memory.
void px_lookup_abandon(px_lookup *lookup);

int px_EAI_AGAIN(void);
int px_EAI_SYSTEM(void);

/// The text of an EAI_* code; lives as long as the program.
const char *px_lookup_text(int code);

/// What px_idna_ascii returns besides a length.
static const int px_idna_invalid = -1;
static const int px_idna_unavailable = -2;

/// The A-labels of a UTF-8 host name through libidn2 (RFC 5891, nontransitional), if the library
/// can be loaded. Returns their length in bytes, or one of the two above.
ptrdiff_t px_idna_ascii(const uint8_t *name, char *ascii, size_t capacity);

#endif
