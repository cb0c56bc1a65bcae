// What the apps of several frameworks contain.

/** The settings of `tsconfig.json` that Vite's templates have. */
export const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['vite/client'],
  jsx: 'react-jsx',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  verbatimModuleSyntax: true,
}

/** A `vite.config.ts` before `prompts init`, and what `init` adds to it. */
export function viteConfig(imports, plugins) {
  const before = `${imports}
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [${plugins}],
})
`.trimStart()
  return { name: 'vite.config.ts', before, entry: 'prompts()' }
}

/** How Vite's own commands start a dev server, build an app, and serve the build. */
export const VITE = {
  dev: (port) => ['npx', 'vite', 'dev', '--port', port, '--host', '127.0.0.1'],
  build: ['npx', 'vite', 'build'],
  run: (port) => ['npx', 'vite', 'preview', '--port', port, '--host', '127.0.0.1'],
}

/** The versions that most apps have. */
export const TYPESCRIPT = 'typescript@6.0.3'
export const VITE_VERSION = 'vite@8.4.0'

/** React with its types. */
export const REACT = ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19', '@types/react-dom@19']
