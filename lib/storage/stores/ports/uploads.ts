/** Knows which uploads are in use. */
export interface UploadStore {
  /**
   * Returns the addresses to which jobs, clips, documents and resumable uploads refer. They include files that were not uploaded.
   * @param hash only addresses that contain this hexadecimal SHA-256 hash
   */
  listAddresses(hash?: string): Promise<string[]>
}
