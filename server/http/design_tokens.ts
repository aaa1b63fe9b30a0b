/** The colors of all pages for people, light and dark. */
export const designTokens = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f6; --card: #ffffff; --ink: #16191d; --soft: #5b6570; --line: #dfe3e8; --field: #ffffff;
  --accent: #1f5fd1; --accent-ink: #ffffff; --accent-wash: #eaf1fd; --good: #1a7f4b; --alarm: #b3261e; --alarm-wash: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101318; --card: #191d23; --ink: #eceff3; --soft: #9aa5b1; --line: #2d343d; --field: #12161b;
    --accent: #78a9ff; --accent-ink: #0b1526; --accent-wash: #1b2a44; --good: #5fd39a; --alarm: #ff9c94; --alarm-wash: #3a1d1b;
  }
}
`
