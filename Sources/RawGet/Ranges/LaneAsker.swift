/// What every request of a transfer is made from, and what its answers must not deny.
struct LaneAsker {
  let order: DownloadOrder
  let digests: ContentDigests
}
