import { Command, Option } from 'commander'
import { CommandContext } from './command_context.ts'

/** The option of commands for a single workspace. */
export interface WorkspaceOption {
  readonly workspace?: string
}

/** A command of commander, with the features that most commands of the service share. */
export class ServiceCommand extends Command {
  override createCommand(name?: string): ServiceCommand {
    return new ServiceCommand(name)
  }

  workspaceOption(): this {
    return this.addOption(
      new Option('-w, --workspace <workspace>', 'the workspace, by id or name; optional if there is only one'),
    )
  }

  /**
   * Adds an example to the end of the help.
   * @param line without the name of the program
   * @param purpose shown after a space
   */
  example(line: string, purpose = ''): this {
    return this.addHelpText('after', `\nExample:${purpose}\n  workspace-service ${line}`)
  }

  /**
   * Sets the action of the command.
   * @param work gets the arguments, then the options
   */
  run<Values extends unknown[]>(work: (context: CommandContext, ...values: Values) => void | Promise<void>): this {
    return this.action((...values: unknown[]) => work(new CommandContext(this), ...(values as Values)))
  }
}
