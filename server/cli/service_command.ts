import { Command, Option } from 'commander'
import { CommandContext } from './command_context.ts'

/** The option of commands about one workspace. */
export interface WorkspaceOption {
  readonly workspace?: string
}

/** A command of commander, with what most commands of the service have in common. */
export class ServiceCommand extends Command {
  override createCommand(name?: string): ServiceCommand {
    return new ServiceCommand(name)
  }

  workspaceOption(): this {
    return this.addOption(
      new Option('-w, --workspace <workspace>', 'the workspace, by id or name; optional if there is only one'),
    )
  }

  /** Ends the help with an example. @param line without the name of the program @param purpose what it does, after a space */
  example(line: string, purpose = ''): this {
    return this.addHelpText('after', `\nExample:${purpose}\n  workspace-service ${line}`)
  }

  /** What the command does. @param work gets the arguments, then the options */
  run<Values extends unknown[]>(work: (context: CommandContext, ...values: Values) => void | Promise<void>): this {
    return this.action((...values: unknown[]) => work(new CommandContext(this), ...(values as Values)))
  }
}
