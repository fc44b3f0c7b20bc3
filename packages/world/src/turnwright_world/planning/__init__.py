"""Planning: which mind runs next, for how long, and who is at fault.

`schedule` is the whole; `fair_share` divides time between owners, `penalties` benches minds at fault,
`overload` attributes a miss to a mind or to the machine. Nothing here runs anything: `planning.net` does.
"""
