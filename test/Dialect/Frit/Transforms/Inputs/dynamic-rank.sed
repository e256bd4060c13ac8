# Makes the rank of lora_gather_select_f32_dynamic dynamic: %ra where A is
# gathered, and %rb where B is.
s/3x4x48/3x?x48/g
s/3x40x4x/3x40x?x/g
s/?x4x48/?x?x48/g
s/?x40x4xf32/?x40x?xf32/g
s/?x4x1/?x?x1/g
s/tensor.empty(%dim_2) : tensor<?x?x/tensor.empty(%dim_2, %ra) : tensor<?x?x/
s/tensor.empty(%dim_2) : tensor<?x40x?x/tensor.empty(%dim_2, %rb) : tensor<?x40x?x/
