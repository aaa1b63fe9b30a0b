import { finding, summaries } from './reading_tasks.ts'
import { filing, reorganizing, updates } from './writing_tasks.ts'
import type { Worker } from './worker.ts'

/** A task that a person gives to an assistant. The plan is the same for each tool server. */
export interface Task {
  readonly kind: 'find' | 'summarize' | 'file' | 'update' | 'reorganize'
  readonly name: string
  /** @returns the result for the person, which must not depend on the tool server */
  plan(worker: Worker): Promise<unknown>
}

export const tasks: readonly Task[] = [...finding, ...summaries, ...filing, ...updates, ...reorganizing]
