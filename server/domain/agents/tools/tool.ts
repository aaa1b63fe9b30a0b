import type { Capability } from '../../../../generated/operations.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
import type { RunTool, ToolResult } from '../runtime.ts'
import { argumentParser, type ParsedArguments } from './arguments.ts'
import type { ContentRole, Reach } from './reach.ts'
import type { NamedPage } from './titles.ts'

interface ToolFacts extends RunTool {
  /** The capability that the caller needs. */
  readonly capability: Capability
  /** The role that the agent needs. The tool is offered if the agent has it anywhere; to use the tool, the agent needs it for the page. */
  readonly role: ContentRole
}

/** A tool that only reads. */
interface ReadTool extends ToolFacts {
  readonly kind: 'read'
  read(scope: Scope, reach: Reach, written: unknown): Promise<ToolResult>
}

/** A tool that changes one page or something below it. */
export interface WriteTool extends ToolFacts {
  readonly kind: 'write'
  /** The argument that names the page. */
  readonly target: string
  prepare(written: unknown): PreparedWrite | { readonly fault: string }
}

export interface PreparedWrite {
  /** The name of the page in the arguments. */
  readonly pageName: string
  /** Describes the change for the person who decides. */
  title(page: NamedPage): string
  write(scope: WriteScope, page: NamedPage): Promise<ToolResult>
}

export type Tool = ReadTool | WriteTool

type Definition = Omit<ToolFacts, 'kind'>

export function readTool<Arguments>(
  facts: Definition,
  read: (scope: Scope, reach: Reach, given: Arguments) => Promise<ToolResult>,
): ReadTool {
  const parse = argumentParser<Arguments>(facts.parameters)
  return {
    ...facts,
    kind: 'read',
    async read(scope, reach, written) {
      const parsed = parse(written)
      return 'fault' in parsed ? refusal(parsed.fault) : read(scope, reach, parsed.given)
    },
  }
}

export function writeTool<Target extends string, Arguments extends Readonly<Record<Target, string>>>(
  facts: Definition,
  target: Target,
  work: {
    title(given: Arguments, page: NamedPage): string
    write(scope: WriteScope, given: Arguments, page: NamedPage): Promise<ToolResult>
  },
): WriteTool {
  const parse = argumentParser<Arguments>(facts.parameters)
  return {
    ...facts,
    kind: 'write',
    target,
    prepare(written) {
      const parsed: ParsedArguments<Arguments> = parse(written)
      if ('fault' in parsed) return parsed
      const { given } = parsed
      return {
        pageName: given[target],
        title: (page) => work.title(given, page),
        write: (scope, page) => work.write(scope, given, page),
      }
    },
  }
}

/** The result of a tool call that was refused. */
export interface ToolRefusal {
  readonly error: string
  /** Pages that may have been meant. */
  readonly candidates?: readonly NamedPage[]
}

export function refusal(error: string, candidates: readonly NamedPage[] = []): ToolResult {
  const content: ToolRefusal = candidates.length === 0 ? { error } : { error, candidates }
  return { isError: true, content }
}

const SHOWN_LENGTH_MAX = 80

/** The beginning of a text on one line, for titles. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const start = [...line].slice(0, SHOWN_LENGTH_MAX).join('')
  return start.length < line.length ? `${start}…` : line
}

export function isRefusal(content: unknown): content is ToolRefusal {
  return typeof content === 'object' && content !== null && 'error' in content
}
