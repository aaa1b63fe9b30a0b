import { multiselect, select, text } from '@clack/prompts'
import type { Capability } from '../../generated/operations.ts'
import type { OwnWorkspaceSettings } from '@workspace-service/server/bootstrap/own_workspace.ts'
import { capabilityOrder } from '@workspace-service/server/domain/shared/index.ts'
import { normalEmail, requireName } from '@workspace-service/server/domain/administration/index.ts'
import { isTimeZone } from '@workspace-service/server/kernel/time_zones.ts'
import { usualCapabilities } from './connection_settings.ts'
import { usageError } from './exit_codes.ts'
import { requireInput, askNewPassword } from './questions.ts'

/** The options of `init`. Missing ones are prompted for, or get their defaults without a terminal. */
export interface InitOptions {
  readonly name?: string
  readonly ownerName?: string
  readonly email?: string
  readonly timeZone?: string
  readonly passwordStdin?: true
  readonly link?: true
  /** False for `--no-connection`; otherwise true. */
  readonly connection: string | boolean
  readonly capability?: readonly Capability[]
  readonly share?: 'workspace' | 'page' | 'nothing'
  readonly content?: 'sample' | 'none'
}

/** Existing records. A new workspace needs a name that no other has, and people who have an account keep its password. */
export interface Existing {
  readonly workspaceNames: readonly string[]
  /** In lower case. */
  readonly emails: ReadonlySet<string>
}

/**
 * Prompts for the missing options.
 * @throws CommandError when a prompt is canceled
 */
export async function promptForSettings(options: InitOptions, existing: Existing): Promise<OwnWorkspaceSettings> {
  const name = options.name ?? (await askText('Name of the workspace', 'My workspace', complaintAboutName(existing)))
  const ownerName = options.ownerName ?? (await askText('Your name', '', complaintOf(requireName)))
  const email = options.email ?? (await askText('Your email address', '', complaintOf(normalEmail)))
  requireTimeZone(options.timeZone)
  const timeZone = options.timeZone ?? (await askTimeZone())
  const signIn = (await signInFromOptions(options, email)) ?? (await askSignIn(email, existing))
  const hasFirstPage = (options.content ?? (await askContent())) === 'sample'
  const connection = await askConnection(options, hasFirstPage)
  return { name, owner: { name: ownerName, email, timeZone, signIn }, hasFirstPage, connection }
}

/**
 * Uses defaults for the missing options.
 * @throws CommandError naming options without a default
 */
export async function defaultSettings(options: InitOptions, existing: Existing): Promise<OwnWorkspaceSettings> {
  const { name, ownerName, email } = options
  if (name === undefined || ownerName === undefined || email === undefined) {
    const missing = Object.entries({ '--name': name, '--owner-name': ownerName, '--email': email })
    const names = missing.filter(([, value]) => value === undefined).map(([option]) => option)
    throw usageError(`Questions can be asked only on a terminal. Add ${names.join(', ')}.`)
  }
  requireTimeZone(options.timeZone)
  const usual = hasAccount(existing, email) ? 'none' : 'link'
  const signIn = (await signInFromOptions(options, email)) ?? usual
  const hasFirstPage = (options.content ?? 'sample') === 'sample'
  const connection = connectionOf(options, options.capability ?? usualCapabilities, options.share ?? 'workspace')
  const owner = { name: ownerName, email, timeZone: options.timeZone ?? null, signIn }
  return { name, owner, hasFirstPage, connection }
}

function requireTimeZone(zone: string | undefined): void {
  if (zone !== undefined && !isTimeZone(zone))
    throw usageError(`"${zone.slice(0, 200)}" is not a time zone. Use a name such as Europe/Lisbon.`)
}

function hasAccount({ emails }: Existing, email: string): boolean {
  return emails.has(email.trim().toLowerCase())
}

type SignIn = OwnWorkspaceSettings['owner']['signIn']

async function signInFromOptions({ passwordStdin, link }: InitOptions, email: string): Promise<SignIn | undefined> {
  if (passwordStdin && link) throw usageError('Choose one of --password-stdin and --link.')
  if (passwordStdin) return { password: await askNewPassword(email, true) }
  return link ? 'link' : undefined
}

async function askSignIn(email: string, existing: Existing): Promise<SignIn> {
  if (hasAccount(existing, email)) return 'none'
  const method = requireInput(
    await select<'password' | 'link'>({
      message: 'How will you sign in?',
      options: [
        { value: 'password', label: 'with a password' },
        { value: 'link', label: 'with a link that works once, within an hour' },
      ],
      output: process.stderr,
    }),
  )
  return method === 'link' ? 'link' : { password: await askNewPassword(email, undefined) }
}

async function askContent(): Promise<'sample' | 'none'> {
  return requireInput(
    await select<'sample' | 'none'>({
      message: 'What should the workspace contain?',
      options: [
        { value: 'sample', label: 'a page to get started with' },
        { value: 'none', label: 'nothing' },
      ],
      output: process.stderr,
    }),
  )
}

const NAME_OF_CONNECTION = 'My integration'

async function askConnection(options: InitOptions, hasFirstPage: boolean): Promise<OwnWorkspaceSettings['connection']> {
  if (options.connection === false) return undefined
  const name =
    typeof options.connection === 'string'
      ? options.connection
      : await askText('Name of a first connection, which gets a token for the API', NAME_OF_CONNECTION, complaintOf(requireName))
  const capabilities = options.capability ?? (await askCapabilities())
  return connectionOf({ ...options, connection: name }, capabilities, options.share ?? (await askShare(hasFirstPage)))
}

function connectionOf(
  { connection }: InitOptions,
  capabilities: readonly Capability[],
  share: 'workspace' | 'page' | 'nothing',
): OwnWorkspaceSettings['connection'] {
  if (connection === false) return undefined
  return { name: typeof connection === 'string' ? connection : NAME_OF_CONNECTION, capabilities, share }
}

async function askCapabilities(): Promise<readonly Capability[]> {
  return requireInput(
    await multiselect<Capability>({
      message: 'What may the connection do?',
      options: capabilityOrder.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
      initialValues: [...usualCapabilities],
      output: process.stderr,
    }),
  )
}

async function askShare(hasFirstPage: boolean): Promise<'workspace' | 'page' | 'nothing'> {
  return requireInput(
    await select<'workspace' | 'page' | 'nothing'>({
      message: 'What may the connection see?',
      options: [
        { value: 'workspace', label: 'the whole workspace' },
        ...(hasFirstPage ? [{ value: 'page' as const, label: 'the first page and what is below it' }] : []),
        { value: 'nothing', label: 'nothing, until something is shared with it' },
      ],
      output: process.stderr,
    }),
  )
}

function askTimeZone(): Promise<string> {
  return askText('Your time zone', Intl.DateTimeFormat().resolvedOptions().timeZone, (input) =>
    isTimeZone(input) ? undefined : 'This is not a time zone. Use a name such as Europe/Lisbon.',
  )
}

function complaintAboutName({ workspaceNames }: Existing): (text: string) => string | undefined {
  return (text) =>
    workspaceNames.some((name) => name.toLowerCase() === text.trim().toLowerCase())
      ? 'Another workspace already has this name.'
      : complaintOf(requireName)(text)
}

/** The message of the error that `check` throws; undefined if it accepts the text. */
function complaintOf(check: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      check(text)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** @param fallback the value for an empty input; without one, empty input is refused */
async function askText(message: string, fallback: string, complaint: (text: string) => string | undefined): Promise<string> {
  const usual = fallback === '' ? {} : { placeholder: fallback, defaultValue: fallback }
  const validate = (input: string | undefined): string | undefined =>
    complaint(input === undefined || input === '' ? fallback : input)
  return requireInput(await text({ message, output: process.stderr, ...usual, validate }))
}
