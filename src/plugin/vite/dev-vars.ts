/** The plugin of `@cloudflare/vite-plugin` that emits {@link DEV_VARS}. */
const CLOUDFLARE = 'vite-plugin-cloudflare:output-config'

/**
 * A copy of the app's `.env` files for `vite preview`, next to a Worker. It is neither deployed nor
 * public.
 */
const DEV_VARS = '.dev.vars'

/** The warning if that file contains the key. */
export const DEV_VARS_WARNING: string =
  `${DEV_VARS} contains the key of the prompt service: Cloudflare's plugin copies the .env files ` +
  'there for `vite preview`. Keep it out of what you publish, or build with ' +
  'CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV=false.'

/** The part of Vite's build environment that identifies {@link DEV_VARS}. */
export interface EmittingEnvironment {
  readonly config: {
    readonly consumer: string
    readonly plugins: readonly { readonly name: string }[]
  }
}

/**
 * Whether a file is Cloudflare's copy of the local variables.
 *
 * @param file - path relative to the output folder
 */
export function isDevVars(file: string, environment: EmittingEnvironment | undefined): boolean {
  if (file !== DEV_VARS || environment?.config.consumer !== 'server') return false
  return environment.config.plugins.some(({ name }) => name === CLOUDFLARE)
}
