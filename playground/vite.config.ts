import prompts from 'unplugin-prompts/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [prompts()],
  // Prompts belong on the server: this app is one, so it is built as Vite builds servers.
  build: { ssr: 'src/main.ts', emptyOutDir: true },
})
