/** Where a backup is, or the originals of pictures: files by paths such as `pictures/a.jpg`. Failures are `StartupError`s. */
export interface Place {
  /** As it may be shown: without key and secret. */
  readonly name: string;
  /** Whole or not at all. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * undefined: there is no such file.
   * @param most bytes that it should have: one more is read at most, which shows that a file is longer
   */
  read(path: string, most: number): Promise<Uint8Array | undefined>;
  /** Sizes in bytes of all that is below a folder, by path; without one, of all that there is. */
  list(folder?: string): Promise<Map<string, number>>;
  /** Names of the folders and files at the top. */
  listTop(): Promise<{ folders: string[]; files: string[] }>;
  delete(path: string): Promise<void>;
  deleteFolder(folder: string): Promise<void>;
  /** Deletes what writers that were killed left behind a day ago or longer. */
  deleteLeftovers(): Promise<void>;
}
