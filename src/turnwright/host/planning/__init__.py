"""Planning of creatures: whose plan runs next, for how long, and whose fault it is when it does not end.

`phase` ties it together; `shares` is fair between owners, `strikes` benches controllers, `blame` attributes a
miss to a controller or to the machine. Nothing here runs anything: `net.planning` does.
"""
