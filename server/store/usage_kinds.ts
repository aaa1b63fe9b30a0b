/** What is counted and can be limited: pages with rows of databases, other blocks, meeting notes (blocks too), files, and their bytes. */
export const usageKinds = ['pages', 'blocks', 'notes', 'files', 'bytes'] as const
export type UsageKind = (typeof usageKinds)[number]
