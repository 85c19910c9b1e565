import type { RowOutcome } from '#db/schema/directory.ts';
import type { FieldChange } from './compare.ts';
import type { ReadRow } from './rows.ts';

/** What an import makes of one star of its file. */
export interface PlannedRow extends Pick<ReadRow, 'line' | 'name' | 'document' | 'source' | 'reasons'> {
  outcome: RowOutcome;
  /** The star that it is in the directory. */
  starId: number | undefined;
  changed: FieldChange[];
  offered: FieldChange[];
  /** Stars of the directory that have the same name and are somebody else. */
  namesakes: number[];
  /** Pictures that it names and that the library lacks, or cannot show: they are left out. */
  missingPictures: string[];
  /** Some of its photos are left out, so that its list would take others away: all stay as they are. */
  keepsPhotos: boolean;
  /** The stars that it names as its members or its parent, by what it calls them. */
  references: ReadonlyMap<string, Target>;
  /** Those of them that are called by what was another star before an editor merged it. */
  mergedReferences: ReadonlySet<string>;
}

/** A star that a row names: the one of another row, by its position, or one of the directory. */
export type Target = { row: number } | { starId: number };
