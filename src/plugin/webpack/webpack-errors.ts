import type { UnpluginBuildContext } from 'unplugin'

/**
 * Ends one build of webpack or Rspack with an error. In a watch that is one of the compilation: a
 * hook that throws would end the watch with the build.
 *
 * @throws the error, where nothing is watched
 */
export function failCompilation(
  error: unknown,
  { watchMode }: { readonly watchMode: boolean },
  { errors }: { readonly errors: unknown[] },
): void {
  if (!watchMode) throw error
  errors.push(withoutDetails(error))
}

/**
 * Ends one build with an error, whatever bundler it is of.
 *
 * @param context - `this` of a hook of unplugin
 * @throws the error, unless webpack or Rspack watches
 */
export function failBuild(error: unknown, context: Partial<UnpluginBuildContext>): void {
  const native = context.getNativeBuildContext?.()
  const isLike = native?.framework === 'webpack' || native?.framework === 'rspack'
  if (!isLike || native.compilation === undefined) throw error
  failCompilation(error, native.compiler, native.compilation)
}

/** webpack prints what an error of resolving has as `details`, and expects a text there. */
export function withoutDetails(error: unknown): unknown {
  return error instanceof Error ? new Error(error.message, { cause: error }) : error
}
