import type { JSX } from 'preact'
import type { ConsoleSession } from '../../../generated/console_types.ts'

export interface ScreenProps {
  readonly session: ConsoleSession
  /** The path below `/console`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly reloadSession: () => void
}

export interface ScreenEntry {
  /** Below `/console`; deeper paths belong to the screen, too. */
  readonly path: string
  readonly title: string
  readonly section: 'You' | 'Develop' | 'Workspace'
  /** Whether the menu shows it to this person. */
  isFor(session: ConsoleSession): boolean
  readonly Screen: (props: ScreenProps) => JSX.Element
}
