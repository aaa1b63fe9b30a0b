import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { Who, World } from './border_world.ts'

/** One thing in three states: seen by the caller, there but not seen, and not there. */
export interface Subjects {
  readonly visible: string
  readonly hidden: readonly string[]
  readonly missing: string
}

/** A name that is as long as that of the hidden column, so that answers are of one length. */
const ABSENT = 'Absent'

/** What requests name, by its kind. Hidden are first those of the same kind, then such as could be taken for them. */
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
  query: ({ own, others, hidden, foreign }, who) => [own[who].query, [others.query, hidden.query, foreign.query]],
  comment: ({ shown, hidden, foreign }) => [shown.comment, [hidden.comment, foreign.comment]],
  'own comment': ({ own, others, hidden }, who) => [own[who].comment, [others.comment, hidden.comment]],
  discussion: ({ shown, hidden, foreign }) => [shown.discussion, [hidden.discussion, foreign.discussion]],
  upload: ({ own, others }, who) => [own[who].upload, [others.upload]],
  task: ({ own, others }, who) => [own[who].task, [others.task]],
  subscription: ({ own, others }) => [own['a connection'].subscription, [others.subscription]],
  user: ({ guest, foreigner }) => [exampleWorkspace.people[1].id, [guest, foreigner.person]],
  group: ({ group, foreigner }) => [group, [foreigner.group]],
  session: ({ sessions }, who) => [sessions[who], [sessions.hidden]],
  agent: ({ agents }) => [agents.shown, [agents.hidden, agents.foreign]],
  emoji: ({ foreigner }) => [exampleWorkspace.emojis[0].id, [foreigner.emoji]],
  option: ({ shown, hidden }) => [shown.optionId, [hidden.optionId]],
  'column by name': () => ['Openly', ['Secret'], ABSENT],
  'column by id': ({ columns }) => [columns['Openly'] ?? '', [columns['Secret'] ?? ''], 'zzzz'],
  'column of the target by name': () => ['Count', ['Closed'], ABSENT],
  'column of the target by id': ({ targetColumns }) => [targetColumns['Count'] ?? '', [targetColumns['Closed'] ?? ''], 'zzzz'],
} as const satisfies Record<
  string,
  (world: World, who: Who) => readonly [visible: string, hidden: readonly string[], missing?: string]
>

export type Kind = keyof typeof kinds

/** @param missing another id for each question, so that none is ever there */
export function subjectsOf(kind: Kind, world: World, who: Who): Subjects {
  const [visible, hidden, missing = randomUUID()] = kinds[kind](world, who) as readonly [string, readonly string[], string?]
  return { visible, hidden, missing }
}
