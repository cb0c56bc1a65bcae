import { render } from 'preact'
import { App } from './app.tsx'
import { showStoredTheme } from './theme.ts'

showStoredTheme()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
