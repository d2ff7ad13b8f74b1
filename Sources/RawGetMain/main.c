// The command: argv comes from C in both modes, since Embedded Swift has no CommandLine.
#include "CPosix.h"

int rawget_main(void);

int main(int argc, char **argv) {
  px_keep_arguments(argc, argv);
  return rawget_main();
}
