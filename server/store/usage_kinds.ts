/**
 * The kinds of contents that are counted and can be limited: pages, including rows of databases; other blocks; meeting notes, which count
 * as blocks as well; files; and the bytes of files.
 */
export const usageKinds = ['pages', 'blocks', 'notes', 'files', 'bytes'] as const
export type UsageKind = (typeof usageKinds)[number]
