/** The name that prompts call the product by: several of them share this variable. */
export const product = 'Northwind Desk'
