import { confirm, isCancel, password as askPassword, text as askText, type CANCEL_SYMBOL } from '@clack/prompts'
import { passwordRules } from '@workspace-service/server/domain/people/index.ts'
import { CommandError, exitCodes, usageError } from './exit_codes.ts'

/** Asks for confirmation before data is lost. Without a terminal, `--yes` is required. */
export async function requireConsent(question: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw usageError(`${question} Add --yes to skip this question.`)
  const input = await confirm({ message: question, initialValue: false, output: process.stderr })
  if (isCancel(input) || !input) throw new CommandError('Nothing was changed.', exitCodes.canceled)
}

/** Asks for the name of the record to be deleted. Without a terminal, `--yes` is required. */
export async function requireTypedName(question: string, name: string, yes: boolean | undefined): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw usageError(`${question} Add --yes to skip this question.`)
  const complaint = (text: string | undefined): string | undefined =>
    text?.trim() === name ? undefined : `Its name is "${name}".`
  requireInput(await askText({ message: `${question} Type its name:`, output: process.stderr, validate: complaint }))
}

/** A new password: typed twice without echo, or read from standard input. @param email of its future owner */
export async function askNewPassword(email: string, fromStandardInput: boolean | undefined): Promise<string> {
  const complaint = await passwordRules()
  if (fromStandardInput) return requireValid(await firstLine(), (text) => complaint(text, email))
  if (!process.stdin.isTTY)
    throw usageError('A password can be typed only on a terminal. Use --password-stdin, or --link for a one-time sign-in link.')
  const first = await ask('New password', (text) => complaint(text, email))
  await ask('Once more', (text) => (text === first ? undefined : 'The passwords differ.'))
  return first
}

async function ask(message: string, complaint: (text: string) => string | undefined): Promise<string> {
  return requireInput(await askPassword({ message, output: process.stderr, validate: (text) => complaint(text ?? '') }))
}

/**
 * The input of a prompt.
 * @throws CommandError when it was canceled, before anything is changed
 */
export function requireInput<Value>(input: Value | typeof CANCEL_SYMBOL): Value {
  if (isCancel(input)) throw new CommandError('Nothing was changed.', exitCodes.canceled)
  return input
}

async function firstLine(): Promise<string> {
  process.stdin.setEncoding('utf8')
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split(/\r?\n/, 1)[0] ?? ''
}

function requireValid(text: string, complaintAbout: (text: string) => string | undefined): string {
  const complaint = complaintAbout(text)
  if (complaint !== undefined) throw usageError(complaint)
  return text
}
