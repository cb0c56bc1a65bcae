import type { UnpluginBuildContext } from 'unplugin'
import { errorMessage } from '../../errors/error-code.ts'

/**
 * Fails one build of webpack or Rspack. In a watch the error is added to the compilation, since a
 * hook that throws would end the watch. Several hooks can fail for one reason, which is reported once.
 *
 * @throws the error, unless this is a watch
 */
export function failCompilation(
  error: unknown,
  { watchMode }: { readonly watchMode: boolean },
  { errors }: { readonly errors: Error[] },
): void {
  if (!watchMode) throw error
  const failure = withoutDetails(error)
  if (!errors.some(({ message }) => message === failure.message)) errors.push(failure)
}

/**
 * Fails one build of any bundler.
 *
 * @param context - `this` of an unplugin hook
 * @throws the error, unless webpack or Rspack is watching
 */
export function failBuild(error: unknown, context: Partial<UnpluginBuildContext>): void {
  const native = context.getNativeBuildContext?.()
  const isLike = native?.framework === 'webpack' || native?.framework === 'rspack'
  if (!isLike || native.compilation === undefined) throw error
  failCompilation(error, native.compiler, native.compilation)
}

/** webpack prints the `details` of a resolve error and expects a string. */
export function withoutDetails(error: unknown): Error {
  return new Error(errorMessage(error), { cause: error })
}
