/** Long lists of which only the rows in sight exist. */

/**
 * @param {number} scrollTop pixels
 * @param {number} height of what is in sight, pixels
 * @param {number} rowHeight pixels
 * @param {number} count of all rows
 * @param {number} spare rows above and below
 * @returns {{ first: number, last: number }} rows to make: `first` to before `last`
 */
export function rowsInSight(scrollTop, height, rowHeight, count, spare) {
  const top = Math.max(Math.floor(scrollTop / rowHeight) - spare, 0);
  const last = Math.min(Math.ceil((scrollTop + height) / rowHeight) + spare, count);
  return { first: Math.min(top, last), last };
}

/**
 * The scroll position at which a row is in sight.
 * @param {number} row
 * @param {number} scrollTop
 * @param {number} height
 * @param {number} rowHeight
 * @returns {number} the new scrollTop, the old one where the row is in sight already
 */
export function scrollToRow(row, scrollTop, height, rowHeight) {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
