// The header in C++, from C++98 on: a download whose handle frees itself.
#include <cstdio>
#include <cstring>
#include <rawget.h>

class Download {
public:
  explicit Download(const char *url) {
    rawget_options options;
    std::memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.url = url;
    handle = rawget_download_create(&options);
  }
  ~Download() { rawget_download_free(handle); }
  int run() { return rawget_download_run(handle); }

private:
  rawget_download *handle;
  Download(const Download &);
  Download &operator=(const Download &);
};

int main(int count, char **arguments) {
  if (rawget_abi_version() != RAWGET_ABI_VERSION) return RAWGET_UNSUPPORTED;
  std::printf("rawget %s, ABI %u\n", rawget_version(), static_cast<unsigned>(rawget_abi_version()));
  return count > 1 ? Download(arguments[1]).run() : 0;
}
