import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { CallerName, World } from './border_world.ts'

/** An object in three states: visible to the caller, hidden, and missing. */
export interface Subjects {
  readonly visible: string
  readonly hidden: readonly string[]
  readonly missing: string
}

/** As long as the name of the hidden column, so that responses have equal lengths. */
const ABSENT = 'Absent'

/** The kinds of objects that requests name. Hidden objects of the same kind come first, then objects that could be confused with them. */
export const kinds = {
  page: ({ shown, hidden, foreign }) => [
    shown.inner,
    [hidden.inner, hidden.page, hidden.trashed, hidden.row, foreign.page, hidden.source],
  ],
  block: ({ shown, hidden, foreign }) => [shown.block, [hidden.block, hidden.page, foreign.block]],
  original: ({ shown, hidden, foreign }) => [shown.original, [hidden.original, foreign.original]],
  database: ({ shown, hidden, foreign }) => [shown.database, [hidden.database, foreign.database, hidden.source]],
  source: ({ shown, hidden, foreign }) => [shown.source, [hidden.source, foreign.source, hidden.database]],
  target: ({ target, hidden, foreign }) => [target.source, [hidden.source, foreign.source]],
  row: ({ target, hidden, foreign }) => [target.row, [hidden.row, foreign.row, hidden.inner, hidden.source]],
  view: ({ shown, hidden, foreign }) => [shown.view, [hidden.view, foreign.view]],
  dashboard: ({ dashboard, hidden, foreign }) => [dashboard, [hidden.view, foreign.view]],
  query: ({ own, others, hidden, foreign }, caller) => [own[caller].query, [others.query, hidden.query, foreign.query]],
  comment: ({ shown, hidden, foreign }) => [shown.comment, [hidden.comment, foreign.comment]],
  'own comment': ({ own, others, hidden }, caller) => [own[caller].comment, [others.comment, hidden.comment]],
  discussion: ({ shown, hidden, foreign }) => [shown.discussion, [hidden.discussion, foreign.discussion]],
  upload: ({ own, others }, caller) => [own[caller].upload, [others.upload]],
  task: ({ own, others }, caller) => [own[caller].task, [others.task]],
  subscription: ({ own, others }) => [own['a connection'].subscription, [others.subscription]],
  user: ({ guest, foreigner }) => [exampleWorkspace.people[1].id, [guest, foreigner.person]],
  group: ({ group, foreigner }) => [group, [foreigner.group]],
  session: ({ sessions }, caller) => [sessions[caller], [sessions.hidden]],
  agent: ({ agents }) => [agents.shown, [agents.hidden, agents.foreign]],
  emoji: ({ foreigner }) => [exampleWorkspace.emojis[0].id, [foreigner.emoji]],
  option: ({ shown, hidden }) => [shown.optionId, [hidden.optionId]],
  'column by name': () => ['Openly', ['Secret'], ABSENT],
  'column by id': ({ columns }) => [columns['Openly'] ?? '', [columns['Secret'] ?? ''], 'zzzz'],
  'column of the target by name': () => ['Count', ['Closed'], ABSENT],
  'column of the target by id': ({ targetColumns }) => [targetColumns['Count'] ?? '', [targetColumns['Closed'] ?? ''], 'zzzz'],
} as const satisfies Record<
  string,
  (world: World, caller: CallerName) => readonly [visible: string, hidden: readonly string[], missing?: string]
>

export type Kind = keyof typeof kinds

/** @param missing a different id for each test, so that none ever exists */
export function subjectsOf(kind: Kind, world: World, caller: CallerName): Subjects {
  const [visible, hidden, missing = randomUUID()] = kinds[kind](world, caller) as readonly [string, readonly string[], string?]
  return { visible, hidden, missing }
}
