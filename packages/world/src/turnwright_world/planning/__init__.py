"""Planning: which mind runs next, for how long, and which mind is at fault.

`schedule` combines the parts. `fair_share` divides time between owners. `penalties` suspends minds at fault.
`overload` decides whether a mind or the machine caused a miss. These modules only decide, and `planning.net`
runs the processes.
"""
