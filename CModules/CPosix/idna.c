#define _GNU_SOURCE
#include "include/px_lookup.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// libidn2's documented interface, declared here because its header may not be installed.
typedef int idn2_to_ascii_8z(const char *input, char **output, int flags);
typedef void idn2_free(void *memory);
enum { idn2_nfc_input = 1, idn2_nontransitional = 8 };

static void *open_library(void) {
#ifdef __APPLE__
  return dlopen("libidn2.0.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  return dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
#endif
}

static ptrdiff_t convert(
    idn2_to_ascii_8z *to_ascii, idn2_free *release, const char *name, char *ascii,
    size_t capacity) {
  char *output = NULL;
  if (to_ascii(name, &output, idn2_nfc_input | idn2_nontransitional) != 0 || !output) {
    return px_idna_invalid;
  }
  size_t length = strlen(output);
  if (length < capacity) memcpy(ascii, output, length + 1);
  release(output);
  return length < capacity ? (ptrdiff_t)length : px_idna_invalid;
}

ptrdiff_t px_idna_ascii(const uint8_t *name, char *ascii, size_t capacity) {
  void *library = open_library();
  if (!library) return px_idna_unavailable;
  idn2_to_ascii_8z *to_ascii;
  idn2_free *release;
  // POSIX's way from an object pointer to a function pointer.
  *(void **)&to_ascii = dlsym(library, "idn2_to_ascii_8z");
  *(void **)&release = dlsym(library, "idn2_free");
  ptrdiff_t outcome = px_idna_unavailable;
  if (to_ascii && release) {
    outcome = convert(to_ascii, release, (const char *)name, ascii, capacity);
  }
  (void)dlclose(library);
  return outcome;
}
