import { type BundlerName, bundlers, type DetectedBundler } from '../../../features/init/init.ts'
import { ask } from '../../ask.ts'
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
  if (interactive === undefined || sure.length === 1 || detected.length === 1)
    return first?.bundler.name
  const likely =
    detected.length > 0 ? detected : bundlers.map((bundler) => ({ bundler, file: undefined }))
  const options = likely.map(({ bundler: { name, title }, file = '' }) => ({
    value: name,
    label: title,
    hint: file,
  }))
  const none = { value: 'none', label: 'None of these', hint: 'generate real files' } as const
  const chosen = await ask(interactive, ({ select }, on) =>
    select<BundlerName | 'none'>({
      message: 'What builds this app?',
      options: [...options, none],
      ...on,
    }),
  )
  return chosen === 'none' ? undefined : chosen
}
