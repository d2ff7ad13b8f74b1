/* Downloads one file: download URL [FILE [SHA-256 [CA-FILE]]]. Ends with the status of the download. */
#include <rawget.h>
#include <stdio.h>

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: %s URL [FILE [SHA-256 [CA-FILE]]]\n", arguments[0]);
    return RAWGET_USAGE;
  }
  char checksum[128] = "";
  rawget_options options = {0};
  options.size = sizeof options;
  options.url = arguments[1];
  if (count > 2) options.file = arguments[2];
  if (count > 3) {
    snprintf(checksum, sizeof checksum, "sha-256=%s", arguments[3]);
    options.checksum = checksum;
  }
  if (count > 4) options.ca_file = arguments[4];

  rawget_download *download = rawget_download_create(&options);
  int32_t status = rawget_download_run(download);

  rawget_result result = {0};
  result.size = sizeof result;
  rawget_download_result(download, &result);
  if (status == RAWGET_OK) {
    printf("%s: %lld bytes\n", result.path, (long long)result.length);
  } else {
    fprintf(stderr, "%s (%s): %s\n", rawget_status_name(status), result.reason, result.message);
  }
  rawget_download_free(download);
  return status;
}
