import { type PublicId, resolvedId } from './ids.ts'
import type { Surroundings } from './session.ts'

/** What webpack and Rspack have in common here. */
interface CompilerLike {
  readonly context: string
  readonly options: { readonly mode?: string | undefined }
}

interface Bundler<Compiler> {
  readonly NormalModuleReplacementPlugin: new (
    pattern: RegExp,
    replace: (resource: { request: string }) => void,
  ) => { apply(compiler: Compiler): void }
}

/**
 * webpack refuses the unknown scheme `virtual:` before any plugin is asked for it, so the request
 * is rewritten to the resolved id, which has no scheme.
 *
 * @returns what the compiler says of its surroundings
 */
export function allowVirtualScheme<Compiler extends CompilerLike>(
  compiler: Compiler,
  { NormalModuleReplacementPlugin }: Bundler<Compiler>,
): Partial<Surroundings> {
  new NormalModuleReplacementPlugin(/^virtual:prompts(?:\/|$)/, (resource) => {
    resource.request = resolvedId(resource.request as PublicId)
  }).apply(compiler)
  const { mode } = compiler.options
  return {
    root: compiler.context,
    ...(mode === undefined || mode === 'none' ? {} : { mode, production: mode === 'production' }),
  }
}
