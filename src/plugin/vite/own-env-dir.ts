import type { ResolvedConfig } from 'vite'

/** Where the files with the app's variables are, if that was said: Vite's default is its root. */
export function ownEnvDir({
  root,
  envDir,
}: Pick<ResolvedConfig, 'root' | 'envDir'>): string | undefined {
  return envDir === false || envDir === root ? undefined : envDir
}
