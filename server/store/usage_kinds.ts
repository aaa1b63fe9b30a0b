/**
 * The kinds that are counted and can be limited: pages including rows of databases, other blocks, meeting notes (also blocks), files, and
 * their bytes.
 */
export const usageKinds = ['pages', 'blocks', 'notes', 'files', 'bytes'] as const
export type UsageKind = (typeof usageKinds)[number]
