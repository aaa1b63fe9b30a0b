import type { FileDraft } from './file_draft.ts'

const FOLDERS: readonly (readonly [folder: string, ending: string])[] = [
  ['spec', '.yaml'],
  ['spec', '.md'],
  ['examples', '.md'],
  ['tests/languages/programs', ''],
]
const PAGES = ['README.md', 'client/README.md']
/** Texts about a release contain its date, whichever release is the newest. */
const ABOUT_RELEASES = /^spec\/(?:released|versions)\//
const BEFORE_DATE = [
  "-Version'?[:,] '?", // the header in a sample
  "(?<!minimum_)api_version: '",
  "(?:example|value|(?<!_)version): '",
  'ReleaseDate(?:\\.fromValue)?\\("',
  "serviceVersion = '",
  'else `', // a default
  '^\\| `version` \\| yes \\| `',
]
const SHOWN_DATE = new RegExp(`(${BEFORE_DATE.join('|')})(\\d{4}-\\d{2}-\\d{2})(?=['\`"\\s])`, 'gm')

/** Paths of the contract's files, the guides and the READMEs that show readers which release date to send. */
export function filesThatShowDates(draft: FileDraft): string[] {
  const files = [...FOLDERS.flatMap(([folder, ending]) => draft.files(folder, ending)), ...PAGES]
  return files.filter((file) => /\.\w+$/.test(file) && !ABOUT_RELEASES.test(file))
}

/** The dates in a text that readers copy, such as the date of the header in a sample, each with its line. */
export function shownDates(text: string): { date: string; line: number }[] {
  return [...text.matchAll(SHOWN_DATE)].map(({ index, 2: date = '' }) => ({
    date,
    line: text.slice(0, index).split('\n').length,
  }))
}

/** The text with a new date wherever readers copy the newest one. Dates of past releases stay. */
export function showingDate(text: string, newest: string, date: string): string {
  return text.replace(SHOWN_DATE, (all, before: string, shown: string) => (shown === newest ? before + date : all))
}
