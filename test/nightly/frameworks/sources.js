// What the apps of several frameworks contain.

const IMPORT = "import { prompts } from 'virtual:prompts'\n"

/** Code that the declarations refuse: the prompt has another variable. */
export const WRONG = `${IMPORT}prompts.supportTriage.render({ tickets: 'It beeps', tone: 'calm' })\n`

/** An expression with the text of the prompt. */
export const TEXT = "prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text"

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

/** A `vite.config.ts` before `prompts init`. */
export function viteConfig(imports, plugins) {
  return `${imports}
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [${plugins}],
})
`
}

/** How Vite's own commands start a dev server, build an app, and serve the build. */
export const VITE = {
  dev: (port) => ['npx', 'vite', 'dev', '--port', port, '--host', '127.0.0.1'],
  build: ['npx', 'vite', 'build'],
  run: (port) => ['npx', 'vite', 'preview', '--port', port, '--host', '127.0.0.1'],
}

/** React with its types. */
export const REACT = ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19', '@types/react-dom@19']
