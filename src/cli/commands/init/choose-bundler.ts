import { type BundlerName, bundlers, type DetectedBundler } from '../../../features/init/init.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'

/**
 * Asks if there are several candidates or none. Otherwise takes the most likely one.
 *
 * @param interactive - `undefined` if nobody can be asked
 * @throws Interruption on Ctrl-C
 */
export async function chooseBundler(
  detected: readonly DetectedBundler[],
  interactive: InteractiveStreams | undefined,
): Promise<BundlerName | undefined> {
  const sure = detected.filter(({ file }) => file !== undefined)
  const [first] = detected
  if (interactive === undefined || sure.length === 1) return first?.bundler.name
  if (detected.length === 1) return first?.bundler.name
  const { askChoice } = await import('../../ask.ts')
  const likely = detected.map(({ bundler, file = '' }) => choiceOf(bundler, file))
  const all = likely.length > 0 ? likely : bundlers.map((bundler) => choiceOf(bundler, ''))
  const none = { value: 'none', label: 'None of these', hint: 'generate real files' } as const
  const chosen = await askChoice('What builds this app?', [...all, none], interactive)
  return chosen === 'none' ? undefined : chosen
}

function choiceOf(
  { name, title }: Pick<DetectedBundler['bundler'], 'name' | 'title'>,
  hint: string,
): { value: BundlerName; label: string; hint: string } {
  return { value: name, label: title, hint }
}
