import { render } from 'preact'
import { App } from './app.tsx'
import { showTheme, storedTheme } from './theme.ts'

showTheme(storedTheme())
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
