import type { AccessLevel, AccessRule, ItemAccess } from '../../../generated/console_types.ts'

/** The levels, from the least access to the most, with what each allows. */
export const ACCESS_LEVELS: readonly (readonly [level: AccessLevel, words: string])[] = [
  ['none', 'No access'],
  ['read', 'Can read'],
  ['edit', 'Can edit'],
  ['full', 'Full access'],
]

export function levelWords(level: AccessLevel): string {
  return ACCESS_LEVELS.find(([one]) => one === level)?.[1] ?? level
}

/** For whom a rule is, in words. */
export function subjectName({ subject, name }: Pick<AccessRule, 'subject' | 'name'>): string {
  return subject === 'everybody' ? 'Everybody' : (name ?? 'Somebody without a name')
}

export interface AccessPartProps {
  readonly access: ItemAccess
  readonly show: (access: ItemAccess) => void
}
