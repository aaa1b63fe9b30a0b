import { CommanderError, type Command } from 'commander'
import { AdministrationError } from '@workspace-service/server/domain/shared/index.ts'
import { describeStartFailure } from '@workspace-service/server/process/start_failure.ts'
import { addAccessCommands } from './access.ts'
import { addAgentCommands } from './agent.ts'
import { addAuditCommands } from './audit.ts'
import { addBackupCommand } from './backup.ts'
import { addCloneCommand } from './clone.ts'
import { addConformCommand } from './conform.ts'
import { addConnectionCommands } from './connection.ts'
import { addDiscussionCommands } from './discussion.ts'
import { addDatabaseCommands } from './database.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEmojiCommands } from './emoji.ts'
import { CommandError, exitCodes } from './exit_codes.ts'
import { fileProblem } from './file_problem.ts'
import { addGroupCommands } from './group.ts'
import { addInitCommand } from './init.ts'
import { addJobCommands } from './job.ts'
import { addMcpCommand } from './mcp.ts'
import { addMigrateCommand } from './migrate.ts'
import { Output } from './output.ts'
import { addProxyCommand } from './proxy.ts'
import { addRequestCommands } from './request.ts'
import { addRestoreCommand } from './restore.ts'
import { addServeCommand } from './serve.ts'
import { ServiceCommand } from './service_command.ts'
import { addTokenCommands } from './token.ts'
import { addUpgradeCheckCommand } from './upgrade_check.ts'
import { addUserCommands } from './user.ts'
import { addWebhookCommands } from './webhook.ts'
import { addVersionCommand, packageVersion } from './version.ts'
import { addWorkspaceCommands } from './workspace.ts'

const EXIT_CODES = `
Exit codes:
  0    success
  1    failure, and nothing was changed; or upgrade-check found something to change
  2    invalid arguments, options or settings
  3    doctor found a problem
  4    proxy or conform found violations of the contract
  130  canceled at a prompt, or conform --full was interrupted`

const ADDERS = [
  addServeCommand,
  addInitCommand,
  addWorkspaceCommands,
  addConnectionCommands,
  addTokenCommands,
  addUserCommands,
  addGroupCommands,
  addAccessCommands,
  addAgentCommands,
  addDiscussionCommands,
  addEmojiCommands,
  addJobCommands,
  addWebhookCommands,
  addRequestCommands,
  addAuditCommands,
  addBackupCommand,
  addRestoreCommand,
  addMigrateCommand,
  addDatabaseCommands,
  addDoctorCommand,
  addProxyCommand,
  addConformCommand,
  addCloneCommand,
  addMcpCommand,
  addUpgradeCheckCommand,
  addVersionCommand,
]

/** The complete command line. */
export function makeProgram(): ServiceCommand {
  const program = new ServiceCommand('workspace-service')
    .description(
      'Runs and manages a workspace service. All commands except serve work on the database in DATABASE_URL, even while the service is running.',
    )
    .version(packageVersion(), '-V, --version', 'print the version of the program')
    .option('--json', 'print the result as one JSON object')
    .option('--database <url>', 'database to use instead of DATABASE_URL')
    .addHelpText('after', EXIT_CODES)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  for (const add of ADDERS) add(program)
  return program
}

/** Runs one command line. @param words the arguments after the program's name @returns the exit code */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const program = makeProgram()
  const output = new Output(words.includes('--json'))
  // Commander's errors are printed below, like all others.
  silenceErrors(program)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return typeof process.exitCode === 'number' ? process.exitCode : exitCodes.done
  } catch (error) {
    const { message, exitCode } = judge(error)
    if (exitCode !== exitCodes.done) output.failure(message, exitCode)
    return exitCode
  }
}

function silenceErrors(command: Command): void {
  command.configureOutput({ outputError: () => undefined })
  for (const child of command.commands) silenceErrors(child)
}

function judge(error: unknown): { message: string; exitCode: number } {
  if (error instanceof CommandError) return error
  if (error instanceof AdministrationError) return { message: error.message, exitCode: exitCodes.failed }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: exitCodes.done }
    const message = error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '')
    return { message: `${message}\nAdd --help to see its usage.`, exitCode: exitCodes.usage }
  }
  return { message: fileProblem(error) ?? describeStartFailure(error), exitCode: exitCodes.failed }
}
