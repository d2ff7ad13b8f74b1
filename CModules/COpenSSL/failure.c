// The text of a failure: bounded, printable, from OpenSSL's queue of errors or from us.
#include "internal.h"

#if OSSL_AVAILABLE
#include <stdio.h>
#include <string.h>

/// "what: why", or whichever is not NULL. Certificates and alerts put bytes of the peer's choice in it.
void ossl_fail(struct ossl_failure *failure, int code, const char *what, const char *why) {
  int both = what != NULL && why != NULL;
  int length = snprintf(
      failure->text, sizeof failure->text, "%s%s%s", what ? what : "", both ? ": " : "", why ? why : "");
  failure->code = code;
  failure->length = length < 0 ? 0 : (size_t)length;
  if (failure->length >= sizeof failure->text) failure->length = sizeof failure->text - 1;
  for (size_t i = 0; i < failure->length; i++) {
    unsigned char byte = (unsigned char)failure->text[i];
    if (byte < 0x20 || byte > 0x7E) failure->text[i] = '?';
  }
}

/// The oldest error in the queue is the cause; what follows are its consequences. Empties the queue.
void ossl_fail_from_queue(struct ossl_failure *failure, int code, const char *what) {
  const char *data = NULL;
  int flags = 0;
  unsigned long error = ERR_get_error_all(NULL, NULL, NULL, &data, &flags);
  char why[256];
  const char *reason = ERR_SYSTEM_ERROR(error) ? strerror(ERR_GET_REASON(error)) : ERR_reason_error_string(error);
  if (reason == NULL) reason = error == 0 ? "no reason given" : "unknown reason";
  int has_data = (flags & ERR_TXT_STRING) != 0 && data != NULL && data[0] != '\0';
  snprintf(why, sizeof why, has_data ? "%s (%s)" : "%s", reason, data);
  ossl_fail(failure, code, what, why);
  ERR_clear_error();
}

size_t ossl_copy_failure(const struct ossl_failure *failure, unsigned char *into, size_t capacity) {
  size_t count = failure->length < capacity ? failure->length : capacity;
  memcpy(into, failure->text, count);
  return count;
}
#endif
