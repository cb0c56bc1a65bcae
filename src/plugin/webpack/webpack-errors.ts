import type { UnpluginBuildContext } from 'unplugin'

/**
 * Fails one build of webpack or Rspack. In a watch the error is added to the compilation, since a
 * hook that throws would end the watch.
 *
 * @throws the error, unless this is a watch
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
 * Fails one build of webpack or Rspack, in a hook of unplugin.
 *
 * @param context - `this` of an unplugin hook
 * @throws the error, unless this is a watch
 */
export function failBuild(error: unknown, context: Partial<UnpluginBuildContext>): void {
  const native = context.getNativeBuildContext?.()
  if (native === undefined || !('compilation' in native) || !native.compilation) throw error
  failCompilation(error, native.compiler, native.compilation)
}

/** webpack prints the `details` of a resolve error and expects a string. */
export function withoutDetails(error: unknown): unknown {
  return error instanceof Error ? new Error(error.message, { cause: error }) : error
}
