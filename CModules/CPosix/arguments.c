// The arguments of the command, kept for Swift to read: Embedded Swift has no CommandLine.
#include "px_process.h"

static int argument_count;
static char **argument_list;

void px_keep_arguments(int count, char **arguments) {
  argument_count = count;
  argument_list = arguments;
}

const char *px_argument(int index) {
  return index >= 0 && index < argument_count ? argument_list[index] : NULL;
}
