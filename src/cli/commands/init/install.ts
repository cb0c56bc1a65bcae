import { runInstall } from '../../../features/init/package-manager.ts'
import type { SetupPlan } from '../../../features/init/init.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { askYesNo } from '../../ask.ts'
import type { CommandContext } from '../../args/command.ts'

/** An invocation of `init`. */
interface InstallInvocation extends CommandContext {
  readonly values: { readonly yes: boolean }
}

/**
 * Installs this package, after a question on an interactive terminal. A failure is reported and ends
 * nothing, since the rest of the setup works without it.
 *
 * @param isWanted - `false` to leave an uninstalled package alone
 * @returns whether the project depends on the package now
 * @throws Interruption on Ctrl-C
 */
export async function install(
  { root, install: command }: Pick<SetupPlan, 'root' | 'install'>,
  isWanted: boolean,
  { terminal, env, signal, values }: InstallInvocation,
): Promise<boolean> {
  if (command === undefined) return true
  if (!isWanted) return false
  const { interactive, messages } = terminal
  const isAsked = interactive !== undefined && !values.yes
  if (isAsked && !(await askYesNo(`Run \`${command}\`?`, interactive))) return false
  messages.line('', messages.dim(`Running \`${command}\`…`))
  const failure = await runInstall(command, { root, env, signal })
  if (failure === undefined) {
    messages.line(messages.mark('ok', 'Installed unplugin-prompts.'))
    return true
  }
  messages.line(messages.mark('warning', `\`${command}\` failed:`))
  for (const line of failure.split('\n')) messages.line(`  ${messages.dim(sanitize(line))}`)
  return false
}
