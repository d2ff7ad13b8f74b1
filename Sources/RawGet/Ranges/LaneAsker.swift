/// What every request of a transfer is made from, and what its answers must not deny.
struct LaneAsker {
  let request: DownloadRequest
  let options: DownloadOptions
  let digests: ContentDigests
}
