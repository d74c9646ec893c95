"""How a form is made of its lead kind and its view; `views` has a module for each.

It may touch states, components, content, the client and lead kinds; a form knows no other form.
"""
